import { expect, test } from 'vitest'
import { lackingPrivileges } from '../src/grants.ts'

const needs = [
  { privilege: 'CREATE', table: 'notifications' },
  { privilege: 'INSERT', table: 'permissions' },
]
const lacking = (lines: string[]) => lackingPrivileges(lines, 'job_card', needs).map(({ privilege }) => privilege)

test('grants on everything, on the database and on tables add up', () => {
  expect(lacking(['GRANT ALL PRIVILEGES ON *.* TO `root`@`localhost` WITH GRANT OPTION'])).toEqual([])
  expect(
    lacking(['GRANT USAGE ON *.* TO `p`@`%`', 'GRANT SELECT, INSERT, CREATE ON `job\\_card`.* TO `p`@`%`']),
  ).toEqual([])
  expect(lacking(['GRANT CREATE ON *.* TO `p`@`%`', 'GRANT INSERT ON `job_card`.`permissions` TO `p`@`%`'])).toEqual([])
  expect(lacking(['GRANT SELECT, INSERT ON `job%`.* TO `p`@`%`'])).toEqual(['CREATE'])
})

test('grants on another database or table, on single columns or of roles alone do not count', () => {
  expect(lacking(['GRANT ALL PRIVILEGES ON `job\\_cards`.* TO `p`@`%`'])).toEqual(['CREATE', 'INSERT'])
  expect(lacking(['GRANT ALL PRIVILEGES ON `jobXcard`.* TO `p`@`%`'])).toEqual(['CREATE', 'INSERT'])
  expect(lacking(['GRANT INSERT (`name`), SELECT (`id`, `name`) ON `job_card`.`permissions` TO `p`@`%`'])).toEqual([
    'CREATE',
    'INSERT',
  ])
  expect(lacking(['GRANT `upgrader` TO `p`@`%`', 'GRANT USAGE ON *.* TO `p`@`%`'])).toEqual(['CREATE', 'INSERT'])
})

test('what MySQL takes back of a grant on everything is lacking, unless it is given on the database itself', () => {
  const all = 'GRANT SELECT, INSERT, CREATE ON *.* TO `p`@`%`'
  const revoked = 'REVOKE INSERT ON `job_card`.* FROM `p`@`%`'
  expect(lacking([all, revoked])).toEqual(['INSERT'])
  expect(lacking([all, revoked, 'GRANT INSERT ON `job_card`.`permissions` TO `p`@`%`'])).toEqual([])
})
