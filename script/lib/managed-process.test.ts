import { expect, test } from 'vitest'
import { readPublicHosts } from '../../packages/hosts/src/hosts.ts'
import { publicHostsOf, urlOf } from './managed-process.ts'

test('public hosts contain the listening addresses and the operator’s names', () => {
  const urls = [urlOf('192.0.2.7', 8080), urlOf('fd00::1', '8000'), urlOf('0.0.0.0', 80), urlOf('::', 80)]
  const own = ['192.0.2.7', '[fd00::1]', '127.0.0.1', '[::1]']
  expect(readPublicHosts(publicHostsOf(urls))).toEqual(own)
  expect(readPublicHosts(publicHostsOf(urls, 'prospects.example,crm.example:8443'))).toEqual([
    ...own,
    'prospects.example',
    'crm.example',
  ])
})
