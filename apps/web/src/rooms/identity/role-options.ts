import type { Role } from '@prospect/api-client'
import { roleName } from './role-names.ts'

const roles: Role[] = ['administrator', 'manager', 'operator', 'viewer']

export const roleOptions = roles.map((role) => ({ value: role, label: roleName(role) }))

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value)
