/** Output of the log. Errors are ignored, so that a full disk or a closed reader does not stop the server; there is nowhere left to report them. */
export const standardOutput = process.stdout.on('error', () => {})

/** ISO time of a log line, as in the API's log. */
export const lineTime = (): string => `,"time":"${new Date().toISOString()}"`
