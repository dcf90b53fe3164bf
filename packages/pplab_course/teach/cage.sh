# Run a program in a cage (cage.py). Arguments: bytes of all files, names of devices, the empty folder
# to live in, the account ("" for this one), then words by two: a letter and a path. "s" shows a
# path, "h" hides what lies there. Then "--" and the program.
set -eu
size=$1 devices=$2 root=$3 account=$4; shift 4
mount --make-rprivate /
mount -t tmpfs -o size=$size,mode=755 cage "$root"
while [ "$1" != -- ]; do
    place="$root$2"
    if [ "$1" = h ]; then
        if [ -d "$place" ]; then mount -t tmpfs -o size=1m,mode=755 hidden "$place"; fi
    elif [ -L "$2" ]; then
        mkdir -p "${place%/*}"; [ -e "$place" ] || cp -P "$2" "$place"
    elif [ -e "$2" ]; then
        if [ -d "$2" ]; then mkdir -p "$place"
        else mkdir -p "${place%/*}"; [ -e "$place" ] || : > "$place"; fi
        mount -o bind,ro,nosuid,nodev "$2" "$place"
    fi
    shift 2
done
shift
cd "$root"
mkdir -p proc dev/shm tmp old home
chmod 1777 tmp dev/shm
chmod 777 home
mount -t proc proc proc
for name in $devices; do : > dev/$name; mount --bind /dev/$name dev/$name; done
pivot_root . old
umount -l old; rmdir old
cd /home
if [ "$account" ]; then set -- --reuid="$account" --regid="$account" --clear-groups "$@"; fi
# another account forgets whose end was to be its own, so it is said again
exec setpriv --pdeathsig KILL --bounding-set=-all --inh-caps=-all --no-new-privs "$@"
