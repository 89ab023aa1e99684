-- The new indexes come first, so that names and numbers are unique at every moment.
CREATE UNIQUE INDEX `users_by_username` ON `users` (`tenant_id`,`username`) WHERE username is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_by_phone` ON `users` (`tenant_id`,`primary_phone`) WHERE primary_phone is not null;--> statement-breakpoint
DROP INDEX `users_username_unique`;--> statement-breakpoint
DROP INDEX `users_phone_unique`;
