"""The demo judge as critic, author, editor and judge of one text: what can be counted is found, mended and compared."""
