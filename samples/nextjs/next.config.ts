export default { allowedDevOrigins: ['*.example.test'] }
