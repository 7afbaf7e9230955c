import { parentPort } from 'node:worker_threads'
import { type Problem, toProblem } from './problem.js'

/** To a thread. Each is answered with one reply of the same number. */
export interface QuestionMessage<Question> {
  readonly id: number
  readonly question: Question
}

/** From a thread. What else it says, without a number, is a notice. */
export type Reply<Outcome> =
  | { readonly id: number; readonly is: 'outcome'; readonly outcome: Outcome }
  | { readonly id: number; readonly is: 'problem'; readonly problem: Problem }

interface Answering<Question, Outcome> {
  answer(question: Question, id: number): Outcome | Promise<Outcome>
  /** Memory of the outcome that is given away, not copied. */
  given?(outcome: Outcome): ArrayBuffer[]
}

/** Inside of a thread that a `WorkerThread` has started: answers what it is asked, in the order in which it came. */
export function answerQuestions<Question, Outcome>({ answer, given }: Answering<Question, Outcome>): void {
  const reply = (message: Reply<Outcome>, memory: ArrayBuffer[] = []) => parentPort!.postMessage(message, memory)
  parentPort!.on('message', async ({ id, question }: QuestionMessage<Question>) => {
    try {
      const answered = answer(question, id)
      const outcome = answered instanceof Promise ? await answered : answered
      reply({ id, is: 'outcome', outcome }, given?.(outcome))
    } catch (error) {
      reply({ id, is: 'problem', problem: toProblem(error) })
    }
  })
}

/** Inside of such a thread: says something that nobody asked for. */
export function giveNotice<Notice extends object>(notice: Notice & { readonly id?: never }): void {
  parentPort!.postMessage(notice)
}
