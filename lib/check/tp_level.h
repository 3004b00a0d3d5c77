// SPDX-License-Identifier: MIT
// tp_level.h - how far the library distrusts its caller. One number an image.
//
//   0  off     trusts. Nothing is counted, nothing is checked.
//   1  fast    O(1): foreign and interior pointers, double free, free-list
//              links, live count. Cheap enough to stay on in what ships.
//   2  poison  O(size): + TP_POISON in what is free, verified before it is
//              issued again; TP_POISON_NEW in what is issued.
//   3  full    + red zones on both sides of every slot; and, unless TP_AUDIT
//              is 0, the whole pool is verified before and after every call.
//
// A level changes neither a pool's capacity nor the layout of any struct. It
// must be the same for the library, the generated file and the application:
// give it once, on the compiler's command line.
#ifndef TP_LEVEL_H
#define TP_LEVEL_H

#define TP_CHECKS_OFF    0
#define TP_CHECKS_FAST   1
#define TP_CHECKS_POISON 2
#define TP_CHECKS_FULL   3

#ifndef TP_CHECKS
#define TP_CHECKS TP_CHECKS_FAST
#endif

// At full: verify around every call, which is O(capacity) with interrupts
// masked? 0 leaves the price of full at that of the slot in hand.
#ifndef TP_AUDIT
#define TP_AUDIT 1
#endif

// What fills a dead object. Robert Nystrom asks for this word in the "Object
// Pool" chapter of Game Programming Patterns; a dump shows 0b db ea 1d.
#define TP_POISON 0x1deadb0bu

// What fills an object nobody has initialised yet: a second pattern, so that a
// dump tells "used too late" from "used too early".
#define TP_POISON_NEW 0x1deadbabu

// What stands between slots at TP_CHECKS_FULL.
#define TP_RED_WORD 0x0ddba115u

#endif
