import { readFileSync } from 'node:fs'

/** Something to type into a terminal, and what it prints if the page shows that. */
export interface Step {
  readonly command: string
  /** The number of the line on which the command begins. */
  readonly line: number
  readonly shown?: Block
}

export interface Page {
  readonly path: string
  readonly text: string
  readonly steps: readonly Step[]
  /** Code blocks whose first line is a comment with the name of a file. */
  readonly files: readonly { readonly name: string; readonly code: string }[]
}

interface Block {
  readonly language: string
  readonly text: string
  /** Where the text begins in the page. */
  readonly at: number
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm

/** Commands are blocks of `sh`; a block of `json` or `text` right behind one is what it prints. */
export function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8')
  const blocks = [...text.matchAll(FENCE)].map(
    ([whole, language = '', body = ''], i, all): Block => ({
      language,
      text: body,
      at: all[i]!.index + whole.indexOf('\n') + 1,
    }),
  )
  const steps = blocks.flatMap((block, i): Step[] => {
    if (block.language !== 'sh') return []
    const next = blocks[i + 1]
    const isShown = /^```\n\n```(?:json|text)\n$/.test(text.slice(block.at + block.text.length, next?.at))
    const line = text.slice(0, block.at).split('\n').length
    return [{ command: block.text.trim(), line, ...(isShown && next && { shown: next }) }]
  })
  const files = blocks.flatMap(({ language, text: code }) => {
    const name = /^\/\/ ([\w.-]+\.(?:mjs|cjs|ts))\n/.exec(code)?.[1]
    return (language === 'js' || language === 'ts') && name !== undefined ? [{ name, code }] : []
  })
  return { path, text, steps, files }
}
