import { describe, expect, test } from 'vitest'
import { ConfigRefused, readConfig } from './config.ts'

describe('the configuration', () => {
  test('an empty environment gives the local stack', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 8080,
      apiUrl: 'http://127.0.0.1:8000',
      publicHosts: [],
      trustedProxies: [],
      logLevel: 'info',
    })
  })

  test('uses the variables that are set', () => {
    expect(
      readConfig({
        WEB_HOST: '0.0.0.0',
        WEB_PORT: '80',
        API_URL: 'https://api:8443/',
        PUBLIC_HOSTS: 'api, web, Prospects.Example:8443',
        TRUST_PROXY: '10.0.0.1, fd00::/8, loopback',
        LOG_LEVEL: 'debug',
      }),
    ).toEqual({
      host: '0.0.0.0',
      port: 80,
      apiUrl: 'https://api:8443',
      publicHosts: ['api', 'web', 'prospects.example'],
      trustedProxies: ['10.0.0.1', 'fd00::/8', 'loopback'],
      logLevel: 'debug',
    })
  })

  test.each([
    ['WEB_PORT', '0'],
    ['WEB_PORT', '70000'],
    ['WEB_PORT', '80a'],
    ['API_URL', 'localhost:8000'],
    ['API_URL', 'http://user:secret@127.0.0.1:8000'],
    ['API_URL', 'http://127.0.0.1:8000/api'],
    ['PUBLIC_HOSTS', 'https://prospects.example'],
    ['TRUST_PROXY', 'everyone'],
    ['TRUST_PROXY', '10.0.0.0/40'],
    ['TRUST_PROXY', '10.0.0.0/0'],
    ['TRUST_PROXY', '10.0.0.0/8/8'],
    ['LOG_LEVEL', 'loud'],
  ])('%s=%s is rejected with a sentence that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(ConfigRefused)
    expect(() => readConfig({ [name]: value })).toThrow(name)
  })
})
