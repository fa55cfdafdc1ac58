import { expect, test } from 'vitest'
import { deviceName, isHandheld } from './device.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

test('a device gets a name that its owner recognises', () => {
  expect(deviceName(firefox)).toBe('Firefox on Windows')
  expect(deviceName(iphone)).toBe('Safari on iOS')
  expect(isHandheld(iphone)).toBe(true)
  expect(isHandheld(firefox)).toBe(false)
})

test('an unknown agent is still named', () => {
  expect(deviceName(null)).toBe('Unknown device')
  expect(deviceName(' ')).toBe('Unknown device')
  expect(deviceName('?')).toBe('Another program')
  expect(isHandheld(null)).toBe(false)
})
