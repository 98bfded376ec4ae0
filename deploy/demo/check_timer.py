"""A user's complaint: starting a timer twice ends in an AttributeError instead of the message meant for it.

Needs torch. The module is loaded from the release's source; the rest of its package is a stand-in.
"""
import importlib.util
import logging
import sys
import types

import torch  # noqa: F401  (the module under test imports it)

package = types.ModuleType("deepspeed")
package.__path__ = ["deepspeed"]
utils = types.ModuleType("deepspeed.utils")
utils.__path__ = ["deepspeed/utils"]
own_logging = types.ModuleType("deepspeed.utils.logging")
own_logging.log_dist = print
own_logging.logger = utils.logger = logging.getLogger("deepspeed")
sys.modules.update({"deepspeed": package, "deepspeed.utils": utils, "deepspeed.utils.logging": own_logging})
try:
    import psutil  # noqa: F401
except ImportError:
    sys.modules["psutil"] = types.ModuleType("psutil")

spec = importlib.util.spec_from_file_location("deepspeed.utils.timer", "deepspeed/utils/timer.py")
timer_module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(timer_module)

timer = timer_module.SynchronizedWallClockTimer.Timer("forward")
timer.started_ = True
try:
    timer.start()
except AssertionError as error:
    assert "forward" in str(error)
else:
    raise AssertionError("a running timer was started again")
