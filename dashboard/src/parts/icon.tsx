/** Drawn by hand on a grid of 24, so that none is loaded. */
const PATHS = {
  search: 'M10.500 17a6.500 6.500 0 1 0 0-13 6.500 6.500 0 0 0 0 13zM15.500 15.500 20 20',
  documents: 'M6 3.500h8l4 4v13H6zM14 3.500v4h4M9 12h6M9 15.500h6',
  settings: 'M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3M15 5v4M9 10v4M15 15v4',
  lab: 'M4 5h7v14H4zM13 5h7v14h-7zM6.500 9h2M6.500 12h2M15.500 9h2M15.500 12h2M15.500 15h2',
  tasks: 'M4 6.500 5.500 8 8 5M4 12.500 5.500 14 8 11M4 18.500 5.500 20 8 17M11 6.500h9M11 12.500h9M11 18.500h9',
  chat: 'M4 5h16v11H10l-4 4v-4H4z',
  vectors: 'M4 20V4M4 20h16M4 20 15 9M15 9h-4M15 9v4M18 15h.010M9 6h.010M19 8h.010',
  keys: 'M8.500 15.500a4 4 0 1 1 0-8 4 4 0 0 1 0 8zM12.500 11.500H21M18 11.500V15M15 11.500v2',
  server: 'M4 5h16v6H4zM4 13h16v6H4zM7.500 8h.010M7.500 16h.010',
  interface: 'M8 7 3.500 12 8 17M16 7l4.500 5-4.500 5M13.500 5l-3 14',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.500v2M12 19.500v2M2.500 12h2M19.500 12h2M5.300 5.300l1.400 1.400M17.300 17.300l1.400 1.400M5.300 18.700l1.400-1.400M17.300 6.700l1.400-1.400',
  moon: 'M19.500 14.500A8 8 0 0 1 9.500 4.500a8 8 0 1 0 10 10z',
  half: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 4v16M12 8h5M12 12h7.500M12 16h5',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M8.500 8.500h11v11h-11zM15.500 8.500v-4h-11v11h4',
  check: 'M4.500 12.500 10 18 20 6.500',
  down: 'M6 9.500l6 6 6-6',
  right: 'M9.500 6l6 6-6 6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  plus: 'M12 5v14M5 12h14',
  trash: 'M5 7h14M9.500 7V4.500h5V7M7 7l1 13h8l1-13M10.500 10.500v6M13.500 10.500v6',
  edit: 'M5 19h3.500L19 8.500 15.500 5 5 15.500zM13 7.500l3.500 3.500',
  upload: 'M12 16V5M7.500 9.500 12 5l4.500 4.500M5 19h14',
  download: 'M12 5v11M7.500 11.500 12 16l4.500-4.500M5 19h14',
  warning: 'M12 4 2.500 20h19zM12 10v5M12 17.500h.010',
  info: 'M12 20.500a8.500 8.500 0 1 0 0-17 8.500 8.500 0 0 0 0 17zM12 11v5M12 8h.010',
  leave: 'M14 5H5v14h9M10 12h11M17.500 8.500 21 12l-3.500 3.500',
} as const

export type IconName = keyof typeof PATHS

/** Says nothing to readers of screens: what stands beside it does. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}
