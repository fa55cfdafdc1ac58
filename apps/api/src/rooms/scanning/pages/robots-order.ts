import { createRequire } from 'node:module'
import type * as Library from 'robots-parser'

/* The library's types declare a default export, but its CommonJS module is the function itself. */
const robotsParser = createRequire(import.meta.url)('robots-parser') as typeof Library.default.default

export type RobotsOrder = { robots: string; robotsUrl: string; urls: readonly string[]; agent: string }
export type ReadRobots = { allowed: boolean[]; crawlDelaySeconds: number | null }

/** Returns which of the URLs robots.txt allows (RFC 9309). The time limit of the thread bounds the call. */
export function readRobots({ robots, robotsUrl, urls, agent }: RobotsOrder): ReadRobots {
  const rules = robotsParser(robotsUrl, robots)
  return {
    // `undefined` means that no rule covers the URL.
    allowed: urls.map((url) => rules.isAllowed(url, agent) !== false),
    crawlDelaySeconds: rules.getCrawlDelay(agent) ?? null,
  }
}
