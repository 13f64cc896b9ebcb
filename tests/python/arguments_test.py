# SPDX-License-Identifier: Apache-2.0
"""What kernels are given: values and arrays of every kind, and what is refused before anything runs."""
import unittest

import numpy as np

import pwsvp
from pwsvp import _parameters
from support import MACHINE, code


class arguments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.machine = pwsvp.Machine(MACHINE)

    @classmethod
    def tearDownClass(cls):
        cls.machine.close()

    def launch(self, kernel, args, grid=64, block=64, **more):
        return self.machine.launch(code(), kernel, grid=grid, block=block, args=args, **more)

    def refused(self, text, kernel, args, **more):
        with self.assertRaises(pwsvp.InputError) as said:
            self.launch(kernel, args, **more)
        self.assertIn(text, str(said.exception))
        self.assertFalse(self.machine.failed)

    def test_every_type_arrives(self):
        pair = np.array((40, 2.0), dtype=[("first", "i4"), ("second", "f4")])[()]
        given, to, out = np.array([1.5], np.float32), np.zeros(1), np.zeros(5, np.int32)
        self.launch("types", [given, to, -3, 255, -1 << 33, True, pair, out])
        self.assertEqual(to[0], 1.5)
        self.assertEqual(out.tolist(), [-3, 255, -2, 1, 42])

        for value in (bytes(7), bytes(9), np.float32(1), np.array(None, dtype=object)[()], 5, 5.0, "12345678", [1, 2]):
            self.refused("argument 6", "types", [given, to, -3, 255, 1, True, value, out])
        self.launch("types", [given, to, -3, 255, 1, True, pair.tobytes(), out])
        for value in (1, 0, "", None, np.uint8(1)):
            self.refused("takes bool", "types", [given, to, -3, 255, 1, value, pair, out])
        self.refused("argument 7", "types", [given, to, -3, 255, 1, True, pair, out.view(np.uint32)])

    def test_types_are_those_of_the_source(self):
        found = {p.name or n: (p.dtype, p.constant) for n, p in enumerate(code().kernels["sum"].parameters)}
        self.assertEqual(found, {"a": (np.int32, True), "b": (np.int32, True), "c": (np.int32, False)})

    def test_declarations(self):
        cases = {"const float* __restrict__ x": ("f4", True, True, "x"), "float const*": ("f4", True, True, ""),
                 "unsigned long long": ("u8", False, False, ""), "unsigned n": ("u4", False, False, "n"),
                 "std::uint64_t mask": ("u8", False, False, "mask"), "int data[]": ("i4", True, False, "data"),
                 "float4* v": (None, True, False, "v"), "int** rows": (None, True, False, "rows"),
                 "HIP_vector_type<float, 4u>*": (None, True, False, ""), "pair": (None, False, False, ""), "pair p": (None, False, False, "p")}
        for text, (dtype, *rest) in cases.items():
            found = _parameters.type_of(text)
            self.assertEqual((found[0] and found[0].str[1:], *found[1:]), (dtype, *rest), text)
        source = "// __global__ void k(char* no);\n__global__ void __launch_bounds__(64) k(int* a,\n float /* , */ b) {}"
        self.assertEqual(_parameters.declarations("k", source), ["int* a", " float b"])
        self.assertIsNone(_parameters.declarations("k", source + "__global__ void k(long c) {}"))
        self.assertEqual(_parameters.declarations("f<int>(std::pair<int, int>, void (*)(int))", None),
                         ["std::pair<int, int>", " void (*)(int)"])

    def test_numbers(self):
        a = np.zeros(1, np.int32)
        for value in (2 ** 31, -2 ** 31 - 1, np.uint32(2 ** 32 - 1), 10 ** 30, 10 ** 5000):
            self.refused("is no int32", "twice", [a, value])
        for value in (1.0, np.float32(1), "1", None, 1j, [1], np.ones(2)):
            self.refused("argument 1 (n)", "twice", [a, value])
        for value in (1, np.uint8(1), np.array(1), np.int64(1), True):
            a[0] = 3
            self.launch("twice", [a, value])
            self.assertEqual(a[0], 6)
        saxpy = pwsvp.compile("sw/kernels/saxpy.hip")
        x, y = np.ones(1, np.float32), np.ones(1, np.float32)
        for value in (1e39, 10 ** 400, "1", None, True, 1j):
            with self.assertRaises(pwsvp.InputError, msg=repr(value)):
                self.machine.launch(saxpy, "saxpy", grid=64, block=64, args=[1, value, x, y])
        self.machine.launch(saxpy, "saxpy", grid=64, block=64, args=[1, float("inf"), x, y])
        self.assertEqual(y[0], np.inf)

    def test_how_many(self):
        a = np.zeros(64, np.int32)
        self.refused("takes 2 arguments, 1 are given", "twice", [a])
        self.refused("takes 2 arguments, 3 are given", "twice", [a, 1, 2])
        self.refused("takes 0 arguments, 1 are given", "nothing", [1])
        self.launch("nothing", [])

    def test_arrays(self):
        good = np.zeros(64, np.int32)
        fixed = np.zeros(64, np.int32)
        fixed.flags.writeable = False
        self.refused("an array of int64; the kernel has a pointer to int32", "twice", [np.zeros(64, int), 1])
        self.refused("an array of float32; the kernel", "twice", [np.zeros(64, np.float32), 1])
        self.refused("an empty array", "twice", [np.zeros(0, np.int32), 1])
        self.refused("not contiguous", "twice", [np.zeros(128, np.int32)[::2], 1])
        self.refused("not contiguous", "twice", [np.asfortranarray(np.zeros((8, 8), np.int32)), 1])
        self.refused("read-only, and the kernel has no pointer to constants", "twice", [fixed, 1])
        self.refused("other byte order", "twice", [good.astype(">i4"), 1])
        self.refused("Python objects", "twice", [np.array([None]), 1])
        self.refused("times", "twice", [np.zeros(64, "M8[s]"), 1])
        self.refused("masked", "twice", [np.ma.array(good), 1])
        for value in ([1, 2], 7, b"1234", "x", memoryview(good)):
            self.refused("wants a NumPy array", "twice", [value, 1])
        self.launch("sum", [fixed, fixed, good])  # const: may be read-only

    def test_one_array_twice_is_one_buffer(self):
        a = np.arange(64, dtype=np.int32)
        self.launch("sum", [a, a, a])
        self.assertEqual(a.tolist(), [2 * k for k in range(64)])
        b = np.zeros(100, np.int32)
        self.refused("overlaps argument 0 (a)", "sum", [b[:64], b[30:94], np.zeros(64, np.int32)])
        view = a.view()
        view.flags.writeable = False
        self.refused("read-only, and another parameter writes it", "sum", [view, view, a])

    def test_shapes_do_not_matter(self):
        a = np.ones((4, 4, 4), np.int32)
        self.launch("twice", [a, 64])
        self.assertTrue((a == 2).all())

    def test_launch_shape(self):
        a = np.zeros(2048, np.int32)
        self.refused("above the maximum 1024", "twice", [a, 1], grid=2048, block=2048)
        self.refused("at most 1024", "twice", [a, 1], grid=[64, 64], block=[64, 64])
        self.refused("must not be smaller", "twice", [a, 1], grid=32, block=64)
        self.refused("no multiple of the workgroup", "twice", [a, 1], grid=100, block=64)
        self.refused("one to three numbers", "twice", [a, 1], grid=[64, 1, 1, 1])
        for size in (0, -1, 2 ** 32, 2 ** 70):
            self.refused("launch.grid", "twice", [a, 1], grid=size)
            self.refused("launch.workgroup", "twice", [a, 1], block=size)
        for size in (64.0, "64", None, [True], [[64]]):
            self.refused("", "twice", [a, 1], block=size)
        self.refused("launch.dynamic_lds: 65537", "twice", [a, 1], dynamic_lds=65536 + 1)
        self.refused("compiled for 1 to 64", "small", [a], grid=128, block=128)
        self.refused("packet", "twice", [a, 1], grid=None, blocks=2 ** 31, block=64)
        self.refused("grid (work-items) and blocks", "twice", [a, 1], blocks=1)
        self.refused("grid (work-items) and blocks", "twice", [a, 1], grid=None)
        self.launch("twice", [a, 100], grid=100, block=64, partial_workgroups=True)
        self.launch("twice", [a, 100], grid=None, blocks=np.int64(2), block=(8, 8))

    def test_kernels_by_name(self):
        self.refused("did you mean", "twise", [])
        self.refused("is a text", None, [])
        with self.assertRaises(pwsvp.InputError):
            self.machine.launch("twice", "twice", grid=1, block=1)


if __name__ == "__main__":
    unittest.main()
