import { type Answered, readAnswer } from '../suggestions/read-answer.rules.ts'
import { type ExaminedAnswer, examineClaims, type Sent } from '../suggestions/validate-answer.rules.ts'

/** Examines an answer without a thread. */
export function examineHere(answer: Answered, sent: Sent): ExaminedAnswer {
  const read = readAnswer(answer, sent.receipt)
  return read.kind === 'rejected' ? read : { kind: 'read', claims: examineClaims(read.claims, sent) }
}
