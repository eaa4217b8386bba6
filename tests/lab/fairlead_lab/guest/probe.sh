#!/bin/busybox sh
# Shows that an accelerator really boots this kernel, then powers off.
/bin/busybox echo LAB-PROBE-OK
/bin/busybox poweroff -f
