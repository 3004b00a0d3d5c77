// SPDX-License-Identifier: MIT
// The rows have no types of their own: a header is included all the same.
