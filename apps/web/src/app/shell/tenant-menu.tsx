import { IconCheck, IconSelector } from '@tabler/icons-react'
import { roleName } from '../../rooms/identity/role-names.ts'
import { useIsSwitchingTenant } from '../../rooms/identity/use-switch-tenant.ts'
import { useSession } from '../../ui/api/session.ts'
import { useOpener } from '../../ui/layout/floating.tsx'
import { FloatingMenu } from '../../ui/layout/menu.ts'
import { Name } from '../../ui/text/name.tsx'
import { nameText } from '../../ui/text/name-text.ts'
import { menuAction, menuFace } from './menu-action.tsx'
import classes from './shell.module.css'

/** Current workspace; with several, a menu of the others. */
export function TenantMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const { tenant, tenants } = useSession()
  const isSwitching = useIsSwitchingTenant()
  const { button, floating } = useOpener('menu')
  const face = (
    <>
      <span className={classes.tenantSign} aria-hidden>
        {initialsOf(tenant.name)}
      </span>
      <span className={isCollapsed ? 'pp-visually-hidden' : classes.tenantName}>
        <Name of={tenant.name} />
      </span>
    </>
  )
  if (tenants.length < 2) return <div className={classes.tenant}>{face}</div>
  return (
    <>
      <button type="button" className={classes.tenant} disabled={isSwitching} title={nameText(tenant.name)} {...button}>
        {face}
        <span className="pp-visually-hidden">, switch workspace</span>
        {!isCollapsed && <IconSelector size={15} stroke={1.6} aria-hidden />}
      </button>
      {floating !== null && (
        <FloatingMenu {...floating} width={260} position="bottom-start">
          {(Menu) => (
            <>
              <Menu.Label>Switch workspace</Menu.Label>
              {tenants.map((other) => {
                const isCurrent = other.id === tenant.id
                return (
                  <Menu.Item
                    key={other.id}
                    {...menuAction(`tenant-${other.id}`).map(menuFace)[0]}
                    rightSection={isCurrent ? <IconCheck size={15} aria-label="current" /> : null}
                  >
                    <span className={classes.tenantOption}>
                      <Name of={other.name} />
                    </span>
                    <span className={classes.tenantRole}>{roleName(other.role)}</span>
                  </Menu.Item>
                )
              })}
            </>
          )}
        </FloatingMenu>
      )}
    </>
  )
}

export function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^\p{L}|^\d/u.test(word))
  const first = words[0]?.[0] ?? '?'
  return (first + (words.length > 1 ? (words.at(-1)?.[0] ?? '') : '')).toUpperCase()
}
