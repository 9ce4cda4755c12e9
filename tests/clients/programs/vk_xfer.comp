#version 450
// b[i] = 3 * a[i] + 1, for vk_xfer.c. This command makes the words in vk_xfer_spv.h:
//   glslangValidator -V --target-env vulkan1.0 --vn vk_xfer_spv -o vk_xfer_spv.h vk_xfer.comp
// It is from glslang-tools 12.0.0; clang-format formats the file.
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer A { uint a[]; };
layout(std430, binding = 1) writeonly buffer B { uint b[]; };

void main()
{
    b[gl_GlobalInvocationID.x] = 3u * a[gl_GlobalInvocationID.x] + 1u;
}
