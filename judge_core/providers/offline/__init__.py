"""The embedded demo judge: scores texts by transparent statistics and labels claims and steps by stated rules, without a
network, a key or a model.

It is for trying the product out and for tests, it says so in every reason, and its scores are no verdict on anyone's
work.
"""

from judge_core.providers.offline.judge import OfflineJudge as OfflineJudge
