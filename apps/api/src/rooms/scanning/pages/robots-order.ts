import { createRequire } from 'node:module'
import type * as Library from 'robots-parser'

/* Its types declare a default export, and its CommonJS module is the function itself. */
const robotsParser = createRequire(import.meta.url)('robots-parser') as typeof Library.default.default

export type RobotsOrder = { robots: string; robotsUrl: string; urls: readonly string[]; agent: string }
export type ReadRobots = { allowed: boolean[]; crawlDelaySeconds: number | null }

/** Which of these addresses robots.txt allows (RFC 9309). Its time is bounded by the thread. */
export function readRobots({ robots, robotsUrl, urls, agent }: RobotsOrder): ReadRobots {
  const rules = robotsParser(robotsUrl, robots)
  return {
    // undefined: an address that the rules do not speak of.
    allowed: urls.map((url) => rules.isAllowed(url, agent) !== false),
    crawlDelaySeconds: rules.getCrawlDelay(agent) ?? null,
  }
}
