/** What is wrong with a template or with its rendering. Caught at the door of the room and turned into a value. */
export class TemplateProblem extends Error {}
