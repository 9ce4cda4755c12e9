# Programs of whole stacks, with the arguments that the rows of stacks.rows need.
#   stack.sh NAME [ARGUMENT...]
# The script runs inside the runner; `media` makes the videos before, without a GPU.
set -eu
name=$1
shift
media=${CLIENTS_MEDIA:-/tmp}
quiet='ffmpeg -nostdin -loglevel warning'
source='testsrc=size=128x128:rate=5:duration=1'
vaapi='-hwaccel vaapi -hwaccel_device /dev/dri/renderD128 -hwaccel_output_format vaapi'

# Run a program as a client of a compositor, which draws with GL and has no display.
under_weston()
{
    XDG_RUNTIME_DIR=$(mktemp -d)
    export XDG_RUNTIME_DIR
    weston --backend=headless-backend.so --use-gl --socket=wl --idle-time=0 --no-config \
        >"$XDG_RUNTIME_DIR/log" 2>&1 &
    weston=$!
    i=0
    while [ ! -S "$XDG_RUNTIME_DIR/wl" ] && [ $i -lt 100 ]; do
        sleep 0.05
        i=$((i + 1))
    done
    status=0
    WAYLAND_DISPLAY=wl "$@" || status=$?
    grep 'GL renderer' "$XDG_RUNTIME_DIR/log" || status=99
    kill $weston
    wait $weston || true
    rm -rf "$XDG_RUNTIME_DIR"
    return $status
}

# shellcheck disable=SC2086
case $name in
media)
    $quiet -f lavfi -i $source -pix_fmt yuv420p -c:v mpeg2video -y "$media/in.m2v"
    $quiet -f lavfi -i $source -pix_fmt yuv420p -c:v libx264 -y "$media/in.h264"
    ;;
decode) # DRIVER FILE
    LIBVA_DRIVER_NAME=$1 $quiet $vaapi -i "$media/$2" -y -f null - 2>&1
    ;;
download) # DRIVER FILE: with a copy of each picture to the CPU
    LIBVA_DRIVER_NAME=$1 $quiet -hwaccel vaapi -hwaccel_device /dev/dri/renderD128 -i "$media/$2" \
        -y -f null - 2>&1
    ;;
encode) # DRIVER [OPTION...]
    driver=$1
    shift
    LIBVA_DRIVER_NAME=$driver $quiet -vaapi_device /dev/dri/renderD128 -f lavfi -i $source \
        -vf format=nv12,hwupload -c:v h264_vaapi "$@" -y -f null - 2>&1
    ;;
vainfo) # DRIVER
    LIBVA_DRIVER_NAME=$1 vainfo --display drm --device /dev/dri/renderD128 2>&1
    ;;
filter) # FILTER
    $quiet -init_hw_device vulkan=v:0 -filter_hw_device v -f lavfi \
        -i testsrc=size=64x64:rate=2:duration=1 \
        -vf "format=yuv420p,hwupload,$1,hwdownload,format=yuv420p" -y -f null - 2>&1
    ;;
gears) # the program has no end
    status=0
    under_weston timeout 3 es2gears_wayland || status=$?
    [ $status -eq 124 ]
    ;;
glmark)
    under_weston glmark2-es2-wayland -s 64x64 -b build:duration=0.2 -b texture:duration=0.2 \
        -b buffer:duration=0.2
    ;;
cube) under_weston vkcube-wayland --c 30 ;;
gltestsrc)
    under_weston gst-launch-1.0 gltestsrc num-buffers=10 ! \
        'video/x-raw(memory:GLMemory),width=64,height=64' ! gldownload ! fakesink
    ;;
glsink)
    under_weston gst-launch-1.0 videotestsrc num-buffers=10 ! glupload ! glcolorconvert ! \
        glimagesink
    ;;
kms) # PROGRAM [ARGUMENT...]: kmscube ends when it can read its input
    fifo=$(mktemp -u)
    mkfifo "$fifo"
    exec 9<>"$fifo"
    rm "$fifo"
    [ "$1" != modetest ] || exec 9</dev/null # it shows the picture until it reads a line
    "$@" 2>&1 <&9
    ;;
piglit) # PROGRAM [ARGUMENT...]: most results are failures, because no shader is executed
    PIGLIT_PLATFORM=surfaceless_egl /usr/lib/x86_64-linux-gnu/piglit/bin/"$@" -auto -fbo || true
    ;;
*) exit 2 ;;
esac
