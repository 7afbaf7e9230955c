/** Thrown inside the transaction when a cancelation stops the job: nothing of it remains. */
export class JobCancelled extends Error {
  constructor() {
    super('the batch was stopped by a cancelation')
    this.name = 'JobCancelled'
  }
}
