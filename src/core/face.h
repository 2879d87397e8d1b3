/* Faces: the interfaces through which a program uses the runtime, several at once. What is made through one is that one's:
 * it goes when the face goes down, and the others' stays. */
#ifndef TSR_CORE_FACE_H
#define TSR_CORE_FACE_H

enum tsr_face { TSR_FACE_NATIVE, TSR_FACE_DART, TSR_FACE_ARMCI, TSR_FACE_GASNET, TSR_FACES_N };

#endif
