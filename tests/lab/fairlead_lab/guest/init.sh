#!/bin/busybox sh
# First program of a guest: the host's root, read-only, under a RAM overlay becomes the root.
b=/bin/busybox
$b mount -t proc proc /proc
$b mount -t sysfs sys /sys
$b mount -t devtmpfs dev /dev
while read -r module; do $b insmod "/m/$module"; done < /m/order
fail() { echo "LAB-FAIL: $1"; $b sleep 1; $b poweroff -f; }
p9="trans=virtio,version=9p2000.L,msize=512000"
$b mount -t 9p -o "$p9,ro,cache=loose" hostroot /lower || fail "the host's root cannot be mounted"
$b mount -t tmpfs -o mode=755 rw /rw
$b mkdir /rw/upper /rw/work
$b mount -t overlay -o lowerdir=/lower,upperdir=/rw/upper,workdir=/rw/work,redirect_dir=off,metacopy=off \
  overlay /newroot || fail "the overlay cannot be mounted"
for d in proc sys dev; do $b mkdir -p "/newroot/$d"; $b mount --move "/$d" "/newroot/$d"; done
$b mount -t tmpfs -o mode=755 run /newroot/run
for word in $($b cat /newroot/proc/cmdline); do
  case "$word" in
    lab.share=*) share="${word#lab.share=}" ;;
    lab.site=*) site="${word#lab.site=}" ;;
  esac
done
$b mkdir -p "/newroot$share"
$b mount -t 9p -o "$p9,rw,cache=none" share "/newroot$share" || fail "the shared folder cannot be mounted"
modules="/newroot/lib/modules/$($b uname -r)"
$b mkdir -p "$modules"
$b mount -t 9p -o "$p9,ro,cache=loose" modules "$modules" || fail "the modules cannot be mounted"
# Not chroot: who joins a mount namespace made below it would find this RAM disk there instead of its root.
exec $b switch_root /newroot /bin/bash "$share/.guest/$site/setup.sh"
