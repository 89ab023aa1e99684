CREATE TABLE `brand_pictures` (
	`tenant_id` text NOT NULL,
	`name` text NOT NULL,
	`size` integer NOT NULL,
	`created_at` integer NOT NULL,
	`check_at` integer NOT NULL,
	`content` blob NOT NULL,
	PRIMARY KEY(`tenant_id`, `name`),
	FOREIGN KEY (`tenant_id`) REFERENCES `tenants`(`id`) ON UPDATE no action ON DELETE cascade,
	CONSTRAINT "name_length" CHECK(length("name") <= 64)
);
--> statement-breakpoint
CREATE INDEX `brand_pictures_check_at` ON `brand_pictures` (`check_at`);--> statement-breakpoint
CREATE INDEX `users_brand_picture` ON `users` (`tenant_id`) WHERE instr(avatar, '/assets/brand/') > 0;