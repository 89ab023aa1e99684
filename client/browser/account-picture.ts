/**
 * The script of the picture page (spec/account-centre#picture). The cropping code is loaded only after the user
 * has selected a picture.
 */

const input = document.querySelector<HTMLInputElement>('[data-crop]')

input?.addEventListener('change', async () => {
  const [file] = input.files ?? []
  if (!file) return
  const { cropPicture } = await import('./crop-picture.ts')
  await cropPicture(input, file)
})
