import { en } from './en.js'

/** Everything that the dashboard says. Another language is another file of this shape. */
export type Texts = typeof en

export const texts: Texts = en
