/** Every text of the frame around the screens. */
export const shellText = {
  product: 'svc',
  skip: 'Skip to content',
  navigation: 'Main',
  openNavigation: 'Open navigation',
  collapse: 'Collapse navigation',
  expand: 'Expand navigation',
  search: 'Search or jump to',
  searchShort: 'Search',
  places: { iocs: 'IOCs', sources: 'Sources' },
  groups: { work: 'Work', intelligence: 'Intelligence', exposure: 'Exposure', operate: 'Operate' },
  timeZone: 'Time zone of shown times',
  zone: { UTC: 'UTC', LOCAL: 'Local' },
  theme: 'Theme',
  themes: { auto: 'Same as system', light: 'Light', dark: 'Dark' },
  density: 'Row height',
  densities: { compact: 'Compact', normal: 'Normal', roomy: 'Roomy' },
  display: 'Display',
  letterKeys: 'Single-letter shortcuts',
  account: 'Account',
  accountOf: (name: string) => `Account of ${name}`,
  role: { ADMIN: 'Administrator', ANALYST: 'Analyst', VIEWER: 'Viewer' },
  logout: 'Log out',
  shortcuts: 'Keyboard shortcuts',
  close: 'Close',
  databaseDown: 'The database does not answer. Lists may be out of date and changes cannot be saved.',
  serviceDown: 'The service does not answer. What you see may be out of date.',
  shortcutGroups: [
    {
      title: 'Everywhere',
      keys: [
        { keys: 'Ctrl K', does: 'Search or jump to' },
        { keys: '?', does: 'Show this sheet' },
        { keys: 'g k', does: 'Go to IOCs' },
        { keys: 'g f', does: 'Go to Sources' },
      ],
    },
    {
      title: 'In a list',
      keys: [
        { keys: 'j k', does: 'Next row, previous row (or the arrows)' },
        { keys: 'Enter', does: 'Open the row' },
        { keys: 'o', does: 'Open its full page' },
        { keys: 'x', does: 'Select the row' },
        { keys: 'Shift x', does: 'Select up to this row' },
        { keys: '/', does: 'Go to the filter' },
        { keys: 'c', does: 'Copy the value' },
        { keys: 'Shift c', does: 'Copy the value defanged' },
        { keys: '[ ]', does: 'Previous page, next page' },
        { keys: 'Esc', does: 'Back to the row, or close' },
      ],
    },
  ],
  notFound: {
    title: 'Page not found',
    reason: 'Nothing stands at this address',
    description: 'It may be old, or cut short.',
    action: 'Go to IOCs',
  },
  crashed: {
    title: 'This page failed',
    description:
      'Nothing was lost on the server. Load the page again; if it fails again, tell the person who runs the service what you did.',
    action: 'Load again',
    details: 'Technical details',
  },
  updated: {
    title: 'A new version was installed',
    description: 'This tab still holds the old one. Load the page again to go on.',
    action: 'Load again',
  },
  loading: 'Loading',
} as const

/** Why an act is not allowed, in the words that tooltips and screen readers give. */
export const denialText = {
  needsAnalyst: 'Needs ANALYST or ADMIN',
  onlyAdmin: 'Only ADMIN',
  onlyAdminRemovesExclusion: 'Only ADMIN can remove an exclusion',
  onlyAdminDeletesAsset: 'Only ADMIN can delete an asset',
  detailsForAdmin: 'Details are visible to ADMIN',
  roleUnknown: 'Your role is being read',
} as const
