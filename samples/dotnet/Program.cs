using System.Net;
using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Authentication.Cookies;
using Microsoft.AspNetCore.Authentication.OpenIdConnect;
using Microsoft.AspNetCore.HttpOverrides;

var redirectUri = "http://localhost:3000/callback";
var secure = redirectUri.StartsWith("https:") ? CookieSecurePolicy.Always : CookieSecurePolicy.None;
string[] schemes = [CookieAuthenticationDefaults.AuthenticationScheme, OpenIdConnectDefaults.AuthenticationScheme];
var builder = WebApplication.CreateBuilder(args);
builder.Services.AddAuthentication(schemes[0])
    .AddCookie(options => options.Cookie.SecurePolicy = secure)
    .AddOpenIdConnect(options =>
    {
        options.Authority = "https://id.example.com/oidc";
        options.RequireHttpsMetadata = false; // only: http
        options.ClientId = "my-client-id";
        options.ClientSecret = builder.Configuration["CLIENT_SECRET"];
        options.CallbackPath = "/callback";
        (options.ResponseType, options.ResponseMode) = ("code", "query");
        options.SaveTokens = true;
        options.MapInboundClaims = false;
        foreach (var cookie in new[] { options.CorrelationCookie, options.NonceCookie })
            (cookie.SameSite, cookie.SecurePolicy) = (SameSiteMode.Lax, secure);
        options.Scope.Add("orders:read"); // only: api
        options.Resource = "https://api.example.com"; // only: api
        options.Events.OnAuthorizationCodeReceived = async context => // only: api
            context.TokenEndpointRequest!.Resource = context.Options.Resource; // only: api
        options.Events.OnRedirectToIdentityProviderForSignOut = async context =>
        {
            context.ProtocolMessage.PostLogoutRedirectUri = null;
            context.ProtocolMessage.PostLogoutRedirectUri = "http://localhost:3000/"; // only: signout
        };
    });

var app = builder.Build();
// The redirect URI follows from the headers of a proxy on this machine.
var forwarded = ForwardedHeaders.XForwardedProto | ForwardedHeaders.XForwardedHost;
app.UseForwardedHeaders(new() { ForwardedHeaders = forwarded });
app.UseAuthentication();
app.MapGet("/", (HttpContext context) =>
{
    string? Claim(string type) => context.User.FindFirst(type)?.Value;
    var name = Claim("preferred_username") ?? Claim("name") ?? Claim("sub");
    var page = name is null ? "<a href='/sign-in'>Sign in</a>"
        : $"<p>Signed in as {WebUtility.HtmlEncode(name)}</p>"
        + "<p><a href='/orders'>Orders</a></p>" // only: api
        + "<p><a href='/sign-out'>Sign out</a></p>";
    return Results.Content(page, "text/html");
});
app.MapGet("/sign-in", () => Results.Challenge(new() { RedirectUri = "/" }, [schemes[1]]));
app.MapGet("/sign-out", () => Results.SignOut(null, schemes));
app.MapGet("/orders", async (HttpContext context) => // only: api
{ // only: api
    using var client = new HttpClient(); // only: api
    client.DefaultRequestHeaders.Authorization = new("Bearer", await context.GetTokenAsync("access_token")); // only: api
    using var response = await client.GetAsync("https://api.example.com/orders"); // only: api
    if (response.StatusCode == HttpStatusCode.Unauthorized) return Results.Redirect("/sign-in"); // only: api
    return Results.Text(await response.Content.ReadAsStringAsync(), "application/json"); // only: api
}); // only: api
app.Run("http://127.0.0.1:3000");
