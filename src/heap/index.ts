/** Which of many comes first: heaps, and what is made of them. */
export { firstInOrder, inOrder } from './first-in-order.js'
export { Heap } from './heap.js'
export { equalsInOrder, KeyHeap } from './key-heap.js'
