/** The script of the page of the picture (spec/account-centre#picture): what crops one is loaded once there is one. */

const input = document.querySelector<HTMLInputElement>('[data-crop]')

input?.addEventListener('change', async () => {
  const [file] = input.files ?? []
  if (!file) return
  const { cropPicture } = await import('./crop-picture.ts')
  await cropPicture(input, file)
})
