/** Whether requests can be sent to it: an absolute URL of one of the two schemes. */
export const isBaseUrl = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text)
