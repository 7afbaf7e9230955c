import { Tokenizer } from './byte-pairs.js'

// A name that the compiler does not look up: the package is optional.
const RANKS_MODULE: string = 'js-tiktoken/ranks/cl100k_base'

/**
 * The tokens of OpenAI's embedding models, or undefined without the optional package that holds their table. It is
 * loaded with the first text that a model refuses: the table takes a megabyte of text and some milliseconds.
 */
export function loadOpenAiTokenizer(): Promise<Tokenizer | undefined> {
  tokenizer ??= import(RANKS_MODULE).then(
    (module: { default: { bpe_ranks: string } }) => new Tokenizer(parseRanks(module.default.bpe_ranks)),
    () => undefined,
  )
  return tokenizer
}

let tokenizer: Promise<Tokenizer | undefined> | undefined

/** Lines of `! FIRST token token …`: tokens in base64, with the numbers from FIRST on. */
export function parseRanks(text: string): Map<string, number> {
  const ranks = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, first = '', ...tokens] = line.split(' ')
    for (const [i, token] of tokens.entries())
      ranks.set(Buffer.from(token, 'base64').toString('latin1'), Number(first) + i)
  }
  return ranks
}
