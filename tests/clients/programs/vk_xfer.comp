#version 450
// b[i] = 3 * a[i] + 1, for vk_xfer.c. The words in vk_xfer_spv.h are made with
//   glslangValidator -V --target-env vulkan1.0 --vn vk_xfer_spv -o vk_xfer_spv.h vk_xfer.comp
// of glslang-tools 12.0.0 and laid out by clang-format.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) writeonly buffer B { uint b[]; };

void main()
{
    b[gl_GlobalInvocationID.x] = 3u * a[gl_GlobalInvocationID.x] + 1u;
}
