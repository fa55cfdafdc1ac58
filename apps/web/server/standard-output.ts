/** Where the web server logs. A disk that takes no more, or a reader who has gone, does not end it, and there is nobody left to tell. */
export const standardOutput = process.stdout.on('error', () => {})

/** A time as people read it, as in the lines of the API. */
export const lineTime = (): string => `,"time":"${new Date().toISOString()}"`
