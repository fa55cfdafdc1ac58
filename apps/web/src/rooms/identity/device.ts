import Bowser from 'bowser'

/** 'Firefox on Windows': browser and system of a User-Agent, so that users recognise their device. */
export function deviceName(agent: string | null): string {
  if (agent === null || agent.trim() === '') return 'Unknown device'
  const { browser, os, platform } = Bowser.parse(agent)
  const system = os.name ?? platform.model ?? null
  if (browser.name === undefined || browser.name === '') return system ?? 'Another program'
  return system === null ? browser.name : `${browser.name} on ${system}`
}

export function isHandheld(agent: string | null): boolean {
  if (agent === null) return false
  const { type } = Bowser.parse(agent).platform
  return type === 'mobile' || type === 'tablet'
}
