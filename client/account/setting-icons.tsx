import { Icon } from '../ui/icons.tsx'

/** Icons of the rows of the profile and of the data. */
export const DownloadIcon = () => <Icon path="M10 3v9.5m-4-4 4 4 4-4M3.5 16.5h13" />
export const TrashIcon = () => (
  <Icon path="M3.5 5.5h13M8 5.5v-2h4v2m3 0-.8 11H5.8L5 5.5m3.3 3 .2 5m3.2-5-.2 5" />
)
