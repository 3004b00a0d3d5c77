// SPDX-License-Identifier: MIT
// tidepool_version.h - which version of the library this is. This is the one
// place: the build and the generator read it here.
#ifndef TIDEPOOL_VERSION_H
#define TIDEPOOL_VERSION_H

// A number to compare, 10000 * major + 100 * minor + patch, and for people.
#define TIDEPOOL_VERSION      100
#define TIDEPOOL_VERSION_TEXT "0.1.0"

#endif
