"""What stands around a judge: retries, quotas, stand-ins."""
