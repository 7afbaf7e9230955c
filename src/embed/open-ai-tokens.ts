import { Tokenizer } from './byte-pairs.js'
import { loadOptional } from './optional-package.js'

const RANKS_MODULE = 'js-tiktoken/ranks/cl100k_base'

/**
 * The tokens of OpenAI's embedding models, or undefined without the optional package that holds their table. It is
 * loaded with the first text that a model refuses: the table takes a megabyte of text and some milliseconds.
 */
export async function loadOpenAiTokenizer(): Promise<Tokenizer | undefined> {
  tokenizer ??= readTokenizer()
  return tokenizer
}

let tokenizer: Tokenizer | undefined

function readTokenizer(): Tokenizer | undefined {
  const ranks = loadOptional(RANKS_MODULE) as { default: { bpe_ranks: string } } | undefined
  return ranks && new Tokenizer(parseRanks(ranks.default.bpe_ranks))
}

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
