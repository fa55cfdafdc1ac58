import { say } from './command.ts'

const EVERY_MS = 2_000

/** Returns a function that reports progress to standard error at most every two seconds, so that a short step prints nothing. */
export function progressLines(): (stage: string, share: number | null) => void {
  let lastAt = performance.now()
  return (stage, share) => {
    const now = performance.now()
    if (now - lastAt < EVERY_MS) return
    lastAt = now
    say(share === null ? `${stage} …` : `${stage}: ${Math.floor(share * 100)} %`)
  }
}
