import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../lib/declared.ts'
import { permissionNames } from '../../facts.ts'
import { permissionsOf, type Role, roles } from '../permissions.ts'

const matrix: Partial<Record<Permission, Role[]>> = {
  'businesses.read': ['administrator', 'manager', 'operator', 'viewer'],
  'evidence.read': ['administrator', 'manager', 'operator', 'viewer'],
  'notes.read': ['administrator', 'manager', 'operator', 'viewer'],
  'pipeline.read': ['administrator', 'manager', 'operator', 'viewer'],
  'reports.read': ['administrator', 'manager', 'operator', 'viewer'],
  'interactions.read': ['administrator', 'manager', 'operator', 'viewer'],
  'businesses.write': ['administrator', 'manager', 'operator'],
  'businesses.block': ['administrator', 'manager', 'operator'],
  'evidence.write': ['administrator', 'manager', 'operator'],
  'notes.write': ['administrator', 'manager', 'operator'],
  'pipeline.move': ['administrator', 'manager', 'operator'],
  'reports.create': ['administrator', 'manager', 'operator'],
  'interactions.write': ['administrator', 'manager', 'operator'],
  'matching.read': ['administrator', 'manager', 'operator', 'viewer'],
  'matching.reject': ['administrator', 'manager', 'operator'],
  'matching.run': ['administrator', 'manager'],
  'matching.merge': ['administrator', 'manager'],
  'matching.reverse': ['administrator', 'manager'],
  'exports.create': ['administrator', 'manager'],
  'exports.read': ['administrator', 'manager'],
  'sources.preview': ['administrator', 'manager', 'operator'],
  'notes.read_sensitive': ['administrator', 'manager'],
  'audit.read': ['administrator', 'manager'],
  'audit.verify': ['administrator', 'manager'],
  'jobs.read': [...roles],
  'jobs.create': ['administrator', 'manager', 'operator'],
  'jobs.cancel': ['administrator', 'manager', 'operator'],
  'jobs.retry': ['administrator', 'manager', 'operator'],
  'sample_data.create': ['administrator'],
  'suppression.read': ['administrator', 'manager', 'operator'],
  'suppression.add': ['administrator', 'manager', 'operator'],
  'suppression.see_values': ['administrator', 'manager', 'operator'],
  'suppression.remove': ['administrator'],
  'erasure.erase': ['administrator'],
  'pipeline.configure': ['administrator'],
  'users.manage': ['administrator'],
  'tenant.configure': ['administrator'],
}

describe('the table of roles', () => {
  test.each(Object.entries(matrix))('grants %s to exactly the roles that need it', (permission, holders) => {
    expect(roles.filter((role) => permissionsOf(role).has(permission as Permission))).toEqual(holders)
  })

  test('gives each role every permission of the next one, and the administrator all of them', () => {
    for (const [at, role] of roles.entries())
      for (const next of roles.slice(at + 1))
        expect(permissionsOf(next).difference(permissionsOf(role))).toEqual(new Set())
    expect(permissionsOf('administrator')).toEqual(new Set(permissionNames))
  })

  test('grants a viewer only reading', () => {
    expect([...permissionsOf('viewer')].filter((permission) => !/\.read(_|$)/.test(permission))).toEqual([])
  })

  test('shares the same set with every request', () => {
    for (const role of roles) expect(permissionsOf(role)).toBe(permissionsOf(role))
  })
})
