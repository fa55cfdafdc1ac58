import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { mailboxOf } from './mailboxes.rules.ts'
import { pageHosts, SHARED_HOSTS_VERSION, siteHosts } from './shared-hosts.data.ts'
import { isSharedHost, ownerDomainOf, sharedHostOf } from './shared-hosts.rules.ts'

test('a changed list has a new version', () => {
  const lists = JSON.stringify([[...pageHosts].sort(), [...siteHosts].sort()])
  const digest = createHash('sha256').update(lists).digest('hex').slice(0, 16)
  expect([SHARED_HOSTS_VERSION, digest]).toEqual(['shared-hosts-2', '5a7c68812c407c77'])
})

test.for([
  ['facebook.com', 'facebook.com', null],
  ['af-za.facebook.com', 'facebook.com', null],
  ['karoo.shopify.com', 'shopify.com', null],
  ['wix.com', 'wix.com', null],
  ['sites.google.com', 'google.com', null],
  ['wordpress.com', 'wordpress.com', null],
  ['karoo.wordpress.com', undefined, 'karoo.wordpress.com'],
  ['blog.karoo.wordpress.com', undefined, 'karoo.wordpress.com'],
  ['karoo.wixsite.com', undefined, 'karoo.wixsite.com'],
  ['karoo.myshopify.com', undefined, 'karoo.myshopify.com'],
  ['gmail.com', undefined, null],
  ['shop.karoo.co.za', undefined, 'karoo.co.za'],
  ['notfacebook.com', undefined, 'notfacebook.com'],
  ['facebook.com.karoo.co.za', undefined, 'karoo.co.za'],
] as const)('%s is a page of %s and belongs to %s', ([host, shared, owner]) => {
  expect([sharedHostOf(host), isSharedHost(host), ownerDomainOf(host)]).toEqual([shared, shared !== undefined, owner])
})

test.for([
  ['j.an@googlemail.com', { host: 'gmail.com', name: 'jan' }],
  ['jan+news@karoo.co.za', { host: 'karoo.co.za', name: 'jan' }],
  ['anything@jan.fastmail.com', { host: 'fastmail.com', name: 'jan' }],
  ['j.an@karoo.co.za', { host: 'karoo.co.za', name: 'j.an' }],
] as const)('%s is delivered to one mailbox', ([address, mailbox]) => {
  expect(mailboxOf(address)).toEqual(mailbox)
})
