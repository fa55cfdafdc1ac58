import { createTheme, localStorageColorSchemeManager, type MantineColorsTuple } from '@mantine/core'
import { FocusKeepingButton } from '../ui/focus/focus-keeping-button.tsx'

declare module '@mantine/core' {
  interface MantineThemeColorsOverride {
    /** Other palettes have no styles here, because css.ts removes them. */
    colors: Record<'accent' | 'gray' | 'dark' | 'red' | 'yellow' | 'dimmed', MantineColorsTuple>
  }
}

/** Accent colour. White text has a contrast of 6:1 on shade 6 (light) and 4.7:1 on shade 5 (dark). */
const accent: MantineColorsTuple = [
  '#eef0fd',
  '#dfe2fb',
  '#bfc6f6',
  '#a3adf3',
  '#8a96f0',
  '#5a68e0',
  '#4a57d2',
  '#3f4ab8',
  '#353e99',
  '#2b337c',
]
const gray: MantineColorsTuple = [
  '#fafafb',
  '#f4f5f6',
  '#ebecef',
  '#dfe1e5',
  '#c8ccd2',
  '#70767f',
  '#626973',
  '#4a5058',
  '#31363d',
  '#1b1e23',
]
/** Danger colour. White text on shade 6 (light) and shade 5 (dark) meets AA. */
const red: MantineColorsTuple = [
  '#fdf0ee',
  '#f9ddd9',
  '#f3c9c3',
  '#ffb3a8',
  '#ff9a8d',
  '#cf3f30',
  '#b42318',
  '#9a1c13',
  '#7d1710',
  '#5e110c',
]
const dark: MantineColorsTuple = [
  '#e4e6e9',
  '#bcc0c7',
  '#9aa0aa',
  '#80868f',
  '#3a3e46',
  '#2b2e35',
  '#202328',
  '#17191c',
  '#111315',
  '#0b0c0d',
]

/** Maps size names of the library's properties to the variables of tokens.css. */
const tokens = (kind: 'space' | 'text' | 'radius', sizes: string[]) =>
  Object.fromEntries(sizes.map((size) => [size, `var(--pp-${kind}-${size})`]))

const modal = { radius: 'lg', yOffset: '12vh', transitionProps: { transition: 'fade', duration: 100 } } as const

export const theme = createTheme({
  colors: { accent, gray, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  black: '#1b1e23',
  white: '#ffffff',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "ui-monospace, 'SFMono-Regular', Menlo, Consolas, monospace",
  fontSizes: tokens('text', ['2xs', 'xs', 'sm', 'md', 'lg', 'xl']),
  lineHeights: { xs: '1.35', sm: '1.4', md: '1.45', lg: '1.5', xl: '1.4' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: 'var(--pp-text-xl)', lineHeight: '1.4' },
      h2: { fontSize: 'var(--pp-text-lg)', lineHeight: '1.4' },
      h3: { fontSize: 'var(--pp-text-md)', lineHeight: '1.4' },
    },
  },
  spacing: tokens('space', ['3xs', '2xs', 'xs', 'sm', 'md', 'lg', 'xl', '2xl']),
  radius: tokens('radius', ['xs', 'sm', 'md', 'lg']),
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // Minimum height: the smallest size would be 22 px, below the touch target of 24 px.
    Button: { defaultProps: { size: 'xs', component: FocusKeepingButton, mih: 24 } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray', size: 28 } },
    TextInput: { defaultProps: { size: 'sm' } },
    PasswordInput: { defaultProps: { size: 'sm' } },
    Textarea: { defaultProps: { size: 'sm' } },
    Select: { defaultProps: { size: 'sm' } },
    TagsInput: { defaultProps: { size: 'sm' } },
    Modal: { defaultProps: modal },
    ModalRoot: { defaultProps: modal },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Dismiss' } } },
    Drawer: { defaultProps: { transitionProps: { duration: 120 } } },
    // The same backdrop for all modal elements.
    ModalOverlay: { defaultProps: { backgroundOpacity: 0.35 } },
    DrawerOverlay: { defaultProps: { backgroundOpacity: 0.35 } },
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        transitionProps: { duration: 80 },
        shadow: 'md',
        // A menu that is longer than the window ends at its edge and scrolls.
        middlewares: { flip: true, shift: true, size: { padding: 8 } },
        styles: { dropdown: { overflowY: 'auto' } },
      },
    },
    Popover: { defaultProps: { transitionProps: { duration: 80 }, shadow: 'md' } },
    Tooltip: { defaultProps: { openDelay: 350, transitionProps: { duration: 80 } } },
  },
})

export const colorSchemeManager = localStorageColorSchemeManager({ key: 'prospect-color-scheme' })
