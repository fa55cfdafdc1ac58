import { lazyPart } from '../lazy/lazy-part.tsx'

/** Menu of a button, loaded on first use. `useOpener('menu')` returns the props of both. */
export const FloatingMenu = lazyPart('menu', () => import('./floating-menu.tsx').then((module) => module.FloatingMenu))
