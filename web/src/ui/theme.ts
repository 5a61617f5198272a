import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core'

const TEAL: MantineColorsTuple = [
  '#e9f5f6',
  '#d3e9eb',
  '#a6d3d7',
  '#74bbc1',
  '#4ca7af',
  '#3299a2',
  '#1c8089',
  '#0b6b74',
  '#0b5f67',
  '#064a51',
]
const DARK: MantineColorsTuple = [
  '#dde2e8',
  '#c3cad3',
  '#9ba6b3',
  '#6c7784',
  '#6c7784',
  '#2b323a',
  '#1d2228',
  '#14171c',
  '#101317',
  '#0b0d10',
]
const GRAY: MantineColorsTuple = [
  '#f6f8f9',
  '#eef2f4',
  '#e5e9ed',
  '#dfe4e8',
  '#87919d',
  '#7c8692',
  '#57616d',
  '#434c57',
  '#2e353d',
  '#1a2027',
]

// The header element inside a dialog would count as a second banner of the page.
const PLAIN_HEADER = { header: { role: 'presentation' } }
// Dialogs stand out by an edge: shadows are off and the dark page is nearly as dark as they are.
const TITLE = { fontSize: 15, fontWeight: 600 }
const EDGED = { content: { border: '1px solid var(--svc-border)' }, title: TITLE }

/** The look of every Mantine part: dense, borders instead of shadows, 4 px corners. */
export const theme = createTheme({
  primaryColor: 'teal',
  primaryShade: { light: 8, dark: 7 },
  colors: { teal: TEAL, dark: DARK, gray: GRAY },
  autoContrast: true,
  black: '#1a2027',
  defaultRadius: 4,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif",
  fontFamilyMonospace: 'var(--svc-font-mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '18px', lineHeight: '26px' },
      h2: { fontSize: '15px', lineHeight: '22px' },
      h3: { fontSize: '13px', lineHeight: '20px' },
    },
  },
  shadows: {
    xs: 'none',
    sm: 'none',
    md: '0 2px 8px rgb(0 0 0 / 12%)',
    lg: '0 4px 16px rgb(0 0 0 / 16%)',
    xl: '0 4px 16px rgb(0 0 0 / 16%)',
  },
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: 'xs' } },
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    TextInput: { defaultProps: { size: 'xs' } },
    PasswordInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    Select: { defaultProps: { size: 'xs', withCheckIcon: true } },
    MultiSelect: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
    SegmentedControl: { defaultProps: { size: 'xs' } },
    Tooltip: { defaultProps: { openDelay: 250, withinPortal: true, events: { hover: true, focus: true, touch: false } } },
    Menu: { defaultProps: { shadow: 'md', width: 220 } },
    Modal: {
      defaultProps: { overlayProps: { backgroundOpacity: 0.4, blur: 0 }, transitionProps: { duration: 120 }, attributes: PLAIN_HEADER },
      styles: EDGED,
    },
    Drawer: {
      defaultProps: { overlayProps: { backgroundOpacity: 0.2, blur: 0 }, transitionProps: { duration: 120 }, attributes: PLAIN_HEADER },
      styles: { title: TITLE },
    },
    DrawerRoot: { defaultProps: { attributes: PLAIN_HEADER } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 80 } } },
  },
})

/** Ties Mantine's own variables to the tokens, so that both change together with the theme. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--svc-bg)',
    '--mantine-color-text': 'var(--svc-text)',
    '--mantine-color-dimmed': 'var(--svc-dim)',
    '--mantine-color-placeholder': 'var(--svc-dim)',
    '--mantine-color-default': 'var(--svc-bg)',
    '--mantine-color-default-hover': 'var(--svc-surface-hover)',
    '--mantine-color-default-border': 'var(--svc-border)',
    '--mantine-color-anchor': 'var(--svc-link)',
    '--mantine-color-error': 'var(--svc-danger)',
  }
  return { variables: {}, light: shared, dark: shared }
}
