/** Members in the order in which they are shown; values may be `JsonValue`. */
export type Details = Record<string, unknown>
