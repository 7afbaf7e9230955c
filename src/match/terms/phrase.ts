/** Words in their order; null keeps the place of a stop word. */
export type Phrase = readonly (string | null)[]
